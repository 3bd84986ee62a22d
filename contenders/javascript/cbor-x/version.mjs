import { isNativeAccelerationEnabled } from "cbor-x";

/** Says whether its optional native part, which reads strings, is there: npm cannot install it everywhere. */
export const libraryVersion = (installed) =>
  isNativeAccelerationEnabled ? `${installed} with cbor-extract` : installed;
