import { existsSync } from 'node:fs'
import path from 'node:path'
import cds from '@sap/cds'

/** The UI5 libraries: as production ships them, or as `npm run ui5` builds them. */
export function builtFolder(): string {
  const shipped = path.resolve(cds.root, 'ui5')
  return existsSync(shipped) ? shipped : path.resolve(cds.root, '.restock/ui5')
}

export const appsFolder = () => path.resolve(cds.root, 'app')
