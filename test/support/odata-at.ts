// The type of an OData service's answer at a path, from the service's generated model.

type WithoutCall<P extends string> = P extends `${infer Name}()` ? Name : P
type WithoutQuery<P extends string> = P extends `${infer Path}?${string}` ? Path : P

type Scalar = string | number | boolean

/** A row for tests, whose type has no undefined or null elements. */
export type Wire<T> = T extends Scalar
  ? T
  : T extends (infer Item)[]
    ? Wire<Item>[]
    : { [Name in keyof T]-?: Wire<NonNullable<T[Name]>> }

interface List<T> {
  value: Wire<T>[]
  '@odata.count': number
}

/** The class of an entity's rows; if singular and plural are the same, the plural ends with `_`. */
type ClassOf<Model, Name extends string> = `${Name}_` extends keyof Model
  ? Model[`${Name}_`]
  : Name extends keyof Model
    ? Model[Name]
    : never

type Item<Class> = Class extends abstract new (...args: never[]) => (infer T)[] ? T : never

type IsSame<A, B> = [A, B] extends [B, A] ? true : false

/** The bound actions of these rows; the model declares them at the singular class, found by its elements. */
type BoundActions<Model, Name extends string> =
  ClassOf<Model, Name> extends { actions: infer Actions }
    ? Actions
    : {
        [N in keyof Model]: Model[N] extends { actions: infer Actions }
          ? Model[N] extends abstract new (...args: never[]) => infer T
            ? IsSame<keyof T, keyof Item<ClassOf<Model, Name>>> extends true
              ? Actions
              : never
            : never
          : never
      }[keyof Model]

/** Actions that return an entity return one row, though its type is plural; other lists stay lists. */
type Returned<Action> = Action extends { __returns: infer Value }
  ? NonNullable<Awaited<Value>> extends infer T
    ? T extends { $count?: number } & (infer Row)[]
      ? '$count' extends keyof T
        ? Wire<Row>
        : List<Row>
      : Wire<T>
    : never
  : unknown

/** The path after a row: an action, a list or another row. */
type Below<Model, Name extends string, Part extends string> =
  WithoutCall<Part> extends `${string}.${infer Action}`
    ? BoundActions<Model, Name> extends infer Actions
      ? Action extends keyof Actions
        ? Returned<Actions[Action]>
        : unknown
      : never
    : Part extends keyof Item<ClassOf<Model, Name>>
      ? NonNullable<Item<ClassOf<Model, Name>>[Part]> extends (infer Each)[]
        ? List<Each>
        : Wire<NonNullable<Item<ClassOf<Model, Name>>[Part]>>
      : unknown

/** Unknown if the path is not a literal. */
export type ODataAt<Model, P extends string, Singletons extends string = never> = At<
  Model,
  WithoutQuery<P>,
  Singletons
>

type At<Model, P extends string, Singletons extends string> = string extends P
  ? unknown
  : P extends `${infer Name}(${string})/${infer Part}`
    ? Below<Model, Name, Part>
    : P extends `${infer Name}/${infer Part}`
      ? Below<Model, Name, Part>
      : P extends `${infer Name}()`
        ? Name extends keyof Model
          ? Returned<Model[Name]>
          : unknown
        : P extends `${infer Name}(${string})`
          ? [Item<ClassOf<Model, Name>>] extends [never]
            ? Name extends keyof Model
              ? Returned<Model[Name]>
              : unknown
            : Wire<Item<ClassOf<Model, Name>>>
          : [Item<ClassOf<Model, P>>] extends [never]
            ? P extends keyof Model
              ? Returned<Model[P]>
              : unknown
            : P extends Singletons
              ? Wire<Item<ClassOf<Model, P>>>
              : List<Item<ClassOf<Model, P>>>

/** The error body of OData services. */
export interface ODataError {
  code: string
  message: string
  target?: string
  details?: { code: string; message: string; target?: string }[]
}

export interface ODataAnswer<Data = unknown> {
  status: number
  text: string
  json: Data
  /** Set in error answers. */
  error: ODataError | undefined
}

/** An answer whose JSON has the type of its path. */
export async function answerOf<Data>(response: Response): Promise<ODataAnswer<Data>> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  const json: unknown = isJson && text ? JSON.parse(text) : undefined
  const error = response.ok ? undefined : (json as { error: ODataError } | undefined)?.error
  return { status: response.status, text, json: json as Data, error }
}
