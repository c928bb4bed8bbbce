// The keys that act as the signed-in person, as the app confirms and revokes them.
import type cds from '@sap/cds'
import type { Request } from '@sap/cds'
import { isRefusal, toODataError } from '../../base/errors.ts'
import { message } from '../../base/texts/texts.ts'
import { confirmKey, revokeOwnKey } from '../../domain/keys/index.ts'

/** Registers the handlers of srv/doors/buyer/model/own-keys.cds. */
export function handleOwnKeys(service: cds.ApplicationService) {
  const changed = async (ID: string, change: typeof confirmKey): Promise<unknown> => {
    try {
      await change(ID)
    } catch (error) {
      throw isRefusal(error) ? toODataError(error, message('key_not_found')) : error
    }
    return service.run(SELECT.one.from('BuyerService.ApiKeys').where({ ID }))
  }
  service.on('confirm', 'ApiKeys', (req: Request) => changed(idOf(req), confirmKey))
  service.on('confirmKey', (req: Request<{ id: string }>) => changed(req.data.id, confirmKey))
  service.on('revoke', 'ApiKeys', (req: Request) => changed(idOf(req), revokeOwnKey))
}

/** The key that an action is bound to. */
function idOf({ params }: Request): string {
  const [key] = params as (string | { ID: string })[]
  return typeof key === 'object' ? key.ID : key!
}
