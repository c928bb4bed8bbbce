import type { Request } from '@sap/cds'
import { decimalText } from './fields.ts'
import { send, readOwnRow } from './services.ts'

const SERVICE = 'KeysService'

const keyIdOf = ({ params }: Request): string => {
  const [key] = params as [{ ID: string } | string]
  return typeof key === 'object' ? key.ID : key
}

interface NewKey {
  name?: string | null
  scopes?: string[] | null
  actsAs?: string | null
  /** OData passes decimals as numbers or as texts. */
  maxOrderValue?: number | string | null
  expiresInDays?: number | null
}

export const issueKey = ({
  data: { name, scopes, actsAs, maxOrderValue, expiresInDays },
}: Request<NewKey>) =>
  send(SERVICE, 'issue', {
    ...{ name: name?.trim(), scopes: scopes ?? [], actsAs: actsAs || null },
    ...{ maxOrderValue: decimalText(maxOrderValue), expiresInDays: expiresInDays ?? null },
  })

export const rotateKey = (request: Request) => send(SERVICE, 'rotate', { ID: keyIdOf(request) })

export async function revokeKey(request: Request) {
  const ID = keyIdOf(request)
  await send(SERVICE, 'revoke', { ID })
  return readOwnRow('ApiKeys', { ID })
}
