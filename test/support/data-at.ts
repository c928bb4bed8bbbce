// The documented type of the answer of /v1 at a path with ids and a query.
import type { DataOf, Method, PathOf } from '../../client/types.ts'

type WithoutQuery<P extends string> = P extends `${infer Path}?${string}` ? Path : P

/** Whether a path matches a documented one, in which `{id}` matches any part. */
type Fits<
  Given extends string,
  Documented extends string,
> = Documented extends `${infer D}/${infer DocumentedRest}`
  ? Given extends `${infer G}/${infer GivenRest}`
    ? FitsPart<G, D> extends true
      ? Fits<GivenRest, DocumentedRest>
      : false
    : false
  : Given extends `${string}/${string}`
    ? false
    : FitsPart<Given, Documented>

type FitsPart<Given extends string, Documented extends string> = Documented extends `{${string}}`
  ? true
  : Given extends Documented
    ? true
    : false

/** The documented path that a path matches. */
type Documented<M extends Method, P extends string> =
  P extends PathOf<M> ? P : { [D in PathOf<M>]: Fits<P, D> extends true ? D : never }[PathOf<M>]

/** Unknown if the path is not a literal, or not documented. */
export type DataAt<M extends string, P extends string> =
  Lowercase<M> extends infer Verb extends Method
    ? string extends P
      ? unknown
      : [Documented<Verb, WithoutQuery<P>>] extends [never]
        ? unknown
        : DataOf<Verb, Documented<Verb, WithoutQuery<P>>>
    : unknown
