import cds from '@sap/cds'
import { connectionOf } from '../store/connections.ts'
import { readSecret } from '../store/secrets/vault.ts'
import { clientOf } from './client-of.ts'
import { revoke } from './oauth/client.ts'
import { planOf, type TokenPlan } from './oauth/plan.ts'
import type { Tokens } from './oauth/tokens.ts'

/** Ends a source's tokens at its ERP, where it can: they are forgotten here in any case. @returns whether it did */
export async function revokeTokens(source: number): Promise<boolean> {
  try {
    const held = await readSecret(source, 'tokens')
    if (!held) return false
    const { adapter, connection } = await connectionOf(source)
    const plan = planOf(adapter, connection) as TokenPlan
    return await revoke(plan, await clientOf(source), JSON.parse(held.text) as Tokens)
  } catch (error) {
    const { message } = error as Error
    cds.log('sources').warn(`the tokens of src_${source} could not be revoked: ${message}`)
    return false
  }
}
