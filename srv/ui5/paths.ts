import path from 'node:path'
import cds from '@sap/cds'

/** The UI5 libraries as `npm run ui5` builds them; `cds.env.restock.ui5Folder` puts them elsewhere. */
export const builtFolder = () => path.resolve(cds.root, cds.env.restock.ui5Folder ?? '.restock/ui5')

export const appsFolder = () => path.resolve(cds.root, 'app')
