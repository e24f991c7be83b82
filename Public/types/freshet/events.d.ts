/**
 * The data of a stream's events, as they come (HTML, 9.2.6).
 *
 * @param {ReadableStream<Uint8Array>} body
 *
 * @param {() => void} [heard] called for every piece that arrives, comments too
 */
export function events(body: ReadableStream<Uint8Array>, heard?: (() => void) | undefined): AsyncGenerator<never, void, unknown>;
