export const read = (data) => [undefined, data];
