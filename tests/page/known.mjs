// What a page knows of run files, for the scripts beside this one.

import { $defs as records } from "../../docs/results-schema.json";

export const known = { schema: 99, summary: 4, records };
