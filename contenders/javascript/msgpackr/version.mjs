import { isNativeAccelerationEnabled } from "msgpackr";

/** Says whether its optional native part, which reads strings, is there: npm cannot install it everywhere. */
export const libraryVersion = (installed) =>
  isNativeAccelerationEnabled ? `${installed} with msgpackr-extract` : installed;
