import ion from "ion-js";

export const write = (root) => ion.dumpBinary(root);
