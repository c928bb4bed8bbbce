import cds, { type Request } from '@sap/cds'

/** Calls another service as the current user, in the current transaction. */
export async function send<T = unknown>(service: string, event: string, data: object): Promise<T> {
  const srv = await cds.connect.to(service)
  return srv.send(event, data)
}

/** A row of AdminService, as the answer of an action. */
export async function readOwnRow(entity: string, key: object): Promise<unknown> {
  const admin = await cds.connect.to('AdminService')
  return admin.run(SELECT.one.from(`AdminService.${entity}`).where(key))
}

/** The number of the row that an action is bound to. */
export const idOf = ({ params }: Request): number => {
  const [key] = params as [{ ID: number } | number]
  return typeof key === 'object' ? key.ID : Number(key)
}
