import type { Request } from '@sap/cds'

/** Makes a handler of a function that needs only the data of a request. */
export const withData =
  <Data, Answer>(handle: (data: Data) => Answer) =>
  ({ data }: Request<Data>) =>
    handle(data)
