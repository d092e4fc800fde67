export { AcpHttpClient, transportError, type AcpHttpClientOptions } from "./client.js";
export { AcpHttpError, type Problem } from "./errors.js";
export { acpHttpEvents } from "./events.js";
export type { AcpHttpGap, AcpHttpMessage, AcpHttpOptions, AcpHttpState } from "./options.js";
export { AcpHttpStream } from "./stream.js";
