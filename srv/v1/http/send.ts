import cds from '@sap/cds'

/** Calls a CAP service in the context of the present request. */
export async function send<T>(service: string, event: string, data: object): Promise<T> {
  const srv = await cds.connect.to(service)
  return srv.send(event, data)
}
