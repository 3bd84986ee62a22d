import { decode } from "@msgpack/msgpack";

export const read = (data) => decode(data, { useBigInt64: true });
