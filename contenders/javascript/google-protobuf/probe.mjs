import messages from "./messages.cjs";
import { kindsOf } from "./schemas/probe/protobuf.mjs";

const { map: _, ...kinds } = kindsOf((name) => ({
  write({ value }) {
    const message = new messages[name]();
    message.setValue(value);
    return message.serializeBinary();
  },
  read: (data) => messages[name].deserializeBinary(data).toObject(),
}));

// The code that protoc makes for maps calls what the library no longer has.
export { kinds };
