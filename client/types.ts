// What a call of /v1 takes and answers, worked out from the OpenAPI document.
import type { components, paths } from './generated.d.ts'

export type { components, paths }

type Schemas = components['schemas']
export type Forecast = Schemas['Forecast']
export type Proposal = Schemas['Proposal']
export type ProposalEvidence = Schemas['Evidence']
export type Policy = Schemas['Policy']
export type Source = Schemas['Source']
export type Sync = Schemas['Sync']
export type Key = Schemas['Key']
export type Webhook = Schemas['Webhook']
export type Event = Schemas['Event']
export type ValueReport = Schemas['ValueReport']
/** An error as the API sends it, with members that only some codes have. */
export type ApiError = Schemas['Error']['error']

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The paths that take a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [name in M]: object } ? P : never
}[keyof paths]

type Operation<M extends Method, P extends PathOf<M>> = paths[P] extends {
  [name in M]: infer Found extends { parameters: object; responses: object }
}
  ? Found
  : never

type Json<Part> = Part extends { content: { 'application/json': infer Body } } ? Body : undefined
type Success = 200 | 201 | 202 | 204

/** What a call answers; undefined where it answers nothing (204). */
export type DataOf<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { responses: infer Responses }
    ? { [Status in keyof Responses & Success]: Json<Responses[Status]> }[keyof Responses & Success]
    : never

type BodyOf<Found> = Found extends { requestBody: infer Body }
  ? { body: Json<Body> }
  : Found extends { requestBody?: infer Body }
    ? [NonNullable<Body>] extends [never]
      ? { body?: undefined }
      : { body?: Json<NonNullable<Body>> }
    : { body?: undefined }

/** What every call may be given. */
export interface CallOptions {
  /** Ends the call, and the waiting between two tries. */
  signal?: AbortSignal
  /** Milliseconds that one try may take. */
  timeout?: number
  /** Stands in the service's log, and in the answer; made by the service unless given. */
  requestId?: string
  /**
   * For a POST: the same key is done once in 24 hours; made for each call unless given. With null the service keeps
   * no answer, and a call whose connection broke is not repeated.
   */
  idempotencyKey?: string | null
}

/** What a call takes: the ids in its path, its query and its body. */
export type InputOf<M extends Method, P extends PathOf<M>> = CallOptions &
  Pick<Operation<M, P>['parameters'], keyof Operation<M, P>['parameters'] & ('path' | 'query')> &
  BodyOf<Operation<M, P>>

/** The input of a call, which may be left out where nothing in it is needed. */
export type InputArgs<M extends Method, P extends PathOf<M>> =
  object extends InputOf<M, P> ? [input?: InputOf<M, P>] : [input: InputOf<M, P>]

/** A page of a list. */
export interface Page<Row> {
  data: Row[]
  /** Where the next page begins; with /events also where later events will. */
  next_cursor: string | null
  has_more: boolean
}

/** A row of the list at a path. */
export type RowOf<P extends PathOf<'get'>> =
  DataOf<'get', P> extends { data: (infer Row)[]; next_cursor: string | null } ? Row : never

/** A path that answers a list, page by page. */
export type ListPath = {
  [P in PathOf<'get'>]: [RowOf<P>] extends [never] ? never : P
}[PathOf<'get'>]
