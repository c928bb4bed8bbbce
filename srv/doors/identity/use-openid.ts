import path from 'node:path'
import cds from '@sap/cds'
import { hasProvider } from './provider.ts'

const { dirname, filename } = import.meta

/** Before CAP makes its handlers: where an OpenID Connect provider is set people sign in there. */
export function useOpenId() {
  if (!hasProvider()) return
  const impl = path.join(dirname, `strategy${path.extname(filename)}`)
  Object.assign(cds.env.requires, { auth: { kind: 'oidc', impl } })
}
