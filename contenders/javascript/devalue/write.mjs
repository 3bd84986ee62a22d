import { stringify } from "devalue";

export const write = (root) => stringify(root);
