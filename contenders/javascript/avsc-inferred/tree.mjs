import { walkPresent } from "./schemas/records/walk.mjs";
import { typeOf } from "./type.mjs";

export const read = (data, { root }) => typeOf(root).fromBuffer(data);

/** Of records some lack a field, which it infers to be a union with null. */
export const walk = (value, hash) => (Array.isArray(value) ? hash.value(value) : walkPresent(value, hash));
