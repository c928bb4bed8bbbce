import type { Request } from '@sap/cds'

/** A handler that needs nothing of a request but its data. */
export const withData =
  <Data, Answer>(handle: (data: Data) => Answer) =>
  ({ data }: Request<Data>) =>
    handle(data)
