import cds from '@sap/cds'
import { connectionOf } from '../../store/connections.ts'
import { readSecret } from '../../store/secrets/vault.ts'
import { readClient } from './read-client.ts'
import { revoke } from '../oauth/client.ts'
import { planOf, type TokenPlan } from '../oauth/plan.ts'
import type { Tokens } from '../oauth/tokens.ts'

const LOG = cds.log('sources')

/** `none`: there were no tokens. */
export type Revocation = 'none' | 'revoked' | 'not offered' | 'failed'

/** Revokes the tokens of a source at its ERP. An error is logged and not thrown, since the source is removed anyway. */
export async function revokeTokens(source: number): Promise<Revocation> {
  try {
    const held = await readSecret(source, 'tokens')
    if (!held) return 'none'
    const { adapter, connection } = await connectionOf(source)
    const plan = planOf(adapter, connection) as TokenPlan
    if (!plan.revocationEndpoint) return 'not offered'
    const tokens = JSON.parse(held.text) as Tokens
    if (await revoke(plan, await readClient(source), tokens)) return 'revoked'
    LOG.warn(`the ERP did not revoke the tokens of src_${source}: revoke them in the ERP`)
    return 'failed'
  } catch (error) {
    const { message } = error as Error
    LOG.warn(`the tokens of src_${source} could not be revoked: ${message}`)
    return 'failed'
  }
}
