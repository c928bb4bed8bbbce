// A kind of ERP that asks for a consent: the csv adapter with other rights.
import cds from '@sap/cds'
import { z } from 'zod'
import { Sources } from '../../../srv/base/database/entities.ts'
import type { Adapter, AuthPlan, StreamCheck } from '../../../adapters/adapter.ts'
import { adapterOf } from '../../../adapters/index.ts'
import { Fatal } from '../../../adapters/errors.ts'
import { connectionOf } from '../../../srv/domain/sources/credentials.ts'
import { serverUrl } from '../../support/server.ts'
import { Visitor } from '../../support/visitor.ts'
import { CLIENT, OAuthServer, SCOPES } from './oauth-server.ts'

export const erp = new OAuthServer()

/** What the adapter finds out about its streams; 401 where the right is refused. */
export const streams: { checks: StreamCheck[] | 401 | Error } = { checks: [] }

const OK: StreamCheck = { record: 'demand', status: 'ok', message: null }

/** From now on `csv` is a kind of ERP that is authorised by the test's own server. */
export async function useConsent(
  plan: (url: string) => AuthPlan & { revocationEndpoint?: string },
): Promise<void> {
  await erp.listen()
  const adapter: Partial<Adapter> = {
    auth: () => plan(erp.url),
    options: z.object({ variant: z.string().optional() }),
    neededRights: () => SCOPES,
    async check({ credentials }) {
      const header = await credentials!.authorization()
      if (streams.checks instanceof Error) throw streams.checks
      if (streams.checks !== 401) return streams.checks
      await credentials!.authorization(header)
      throw new Fatal('unauthorized', 'refused')
    },
  }
  Object.assign(adapterOf('csv')!, adapter)
  streams.checks = [OK]
}

export const codePlan =
  (usesPkce = true) =>
  (url: string) => ({
    ...{ kind: 'authorization_code' as const, scopes: SCOPES, usesPkce },
    authorizationEndpoint: `${url}/authorize?sap-client=100`,
    ...{ tokenEndpoint: `${url}/token`, revocationEndpoint: `${url}/revoke` },
  })

export const newSource = (account: string) => ({
  ...{ type: 'csv', account, role: 'reader', base_url: erp.url },
  ...{ client_id: CLIENT.id, client_secret: CLIENT.secret },
})

/** That of whoever consents. */
const browser = new Visitor()

/** Opens the page that a consent begins at. @returns the ERP's page, to which it leads */
export async function begin(page: string, by = browser): Promise<string> {
  const { headers } = await by.go(page)
  return headers.get('location')!
}

/** Begins a consent and allows it. @returns where the ERP sends the browser */
export const allow = async (page: string, by = browser) => erp.allow(await begin(page, by))

export const deny = async (page: string, error?: string) => erp.deny(await begin(page), error)

/** Follows the browser back to the service. */
export async function visit(address: string, by = browser) {
  const url = serverUrl()
  const { pathname, search } = new URL(address)
  const response = await by.go(`${url}${pathname}${search}`)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** What the adapter of a source is given. */
export async function credentialsOf(id: string) {
  const { connection } = await connectionOf(Number(id.replace('src_', '')))
  return connection.credentials!
}

export const statusOf = async (id: string) =>
  (await cds.ql.SELECT.one
    .from(Sources)
    .columns('status')
    .where({ ID: Number(id.replace('src_', '')) }))!.status
