// What /v1 is documented to answer at a path as a test writes it, with ids and a query in it.
import type { DataOf, Method, PathOf } from '../../client/types.ts'

type WithoutQuery<P extends string> = P extends `${infer Path}?${string}` ? Path : P

/** Whether the parts of a path are those of a documented one, where `{id}` stands for any. */
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

/** The documented path that this one is an instance of. */
type Documented<M extends Method, P extends string> =
  P extends PathOf<M> ? P : { [D in PathOf<M>]: Fits<P, D> extends true ? D : never }[PathOf<M>]

/** Unknown where the path is known at run time only, or is not documented. */
export type DataAt<M extends string, P extends string> =
  Lowercase<M> extends infer Verb extends Method
    ? string extends P
      ? unknown
      : [Documented<Verb, WithoutQuery<P>>] extends [never]
        ? unknown
        : DataOf<Verb, Documented<Verb, WithoutQuery<P>>>
    : unknown
