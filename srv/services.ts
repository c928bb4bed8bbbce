// How services call each other, and how their handlers are given what they need.
import cds, { type Request } from '@sap/cds'

/** Calls a service as the present user, in the present transaction; without one in a transaction of its own. */
export async function send<T = unknown>(service: string, event: string, data = {}): Promise<T> {
  const srv = await cds.connect.to(service)
  return srv.send(event, data)
}

/** A handler that needs nothing of a request but its data. */
export const withData =
  <Data, Answer>(handle: (data: Data) => Answer) =>
  ({ data }: Request<Data>) =>
    handle(data)

/** A handler that needs nothing of a request but the ID that it names. */
export const withID =
  <ID, Answer>(handle: (ID: ID) => Answer) =>
  ({ data }: Request<{ ID: ID }>) =>
    handle(data.ID)
