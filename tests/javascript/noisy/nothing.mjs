export const write = () => undefined;
