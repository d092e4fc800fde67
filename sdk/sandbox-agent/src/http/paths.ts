// Types only: what a route of the daemon takes and answers, read from the generated types.
import type { paths } from "../generated/api.js";

export type Method = "get" | "put" | "post" | "delete";
/** The routes that have this method. */
export type Route<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];

type Operation<P extends keyof paths, M extends Method> = paths[P][M];

/** The JSON of a 200, or nothing for a 204. */
export type Answer<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { responses: { 200: { content: { "application/json": infer T } } } } ? T : undefined;

export type Query<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { parameters: { query?: infer T } } ? Exclude<T, undefined> : never;

export type PathParameters<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { parameters: { path: infer T } } ? T : undefined;

export type JsonBody<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { requestBody?: { content: { "application/json": infer T } } } ? T : undefined;
