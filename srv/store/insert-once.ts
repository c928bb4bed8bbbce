import cds from '@sap/cds'
import type { AnyEntity } from './entities.ts'

/** Makes a row where there is none of its key; several instances may do so at once. It commits by itself. */
export async function insertOnce(entity: AnyEntity, key: object, values = {}) {
  const isThere = async () => Boolean(await SELECT.one.from(entity).where(key))
  if (await isThere()) return
  await cds
    .tx(() => INSERT.into(entity).entries({ ...key, ...values }))
    .catch(async (error: unknown) => {
      if (!(await isThere())) throw error
    })
}
