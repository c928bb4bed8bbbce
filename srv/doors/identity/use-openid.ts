import path from 'node:path'
import cds from '@sap/cds'
import { hasProvider } from './provider.ts'

const { dirname, filename } = import.meta

/** Must be called before CAP makes its handlers. If an OpenID Connect provider is configured, people sign in there. */
export function useOpenId() {
  if (!hasProvider()) return
  const impl = path.join(dirname, `strategy${path.extname(filename)}`)
  Object.assign(cds.env.requires, { auth: { kind: 'oidc', impl } })
}
