// An app's modules, views and texts in the one file that UI5 asks for before it asks for each of them.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const TAKEN = ['Component.js', 'ext/**/*.{js,xml}', 'i18n/*.properties']

/** @param folder of the app, @param namespace its name for UI5, `restock.buyer` */
export function preloadOf(folder: string, namespace: string): string {
  const entries = globSync(TAKEN, { cwd: folder })
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
    .map((file) => {
      const text = readFileSync(path.join(folder, file), 'utf8')
      const content = file.endsWith('.js') ? `function(){${text}\n}` : JSON.stringify(text)
      return `${JSON.stringify(`${namespace.replaceAll('.', '/')}/${file}`)}:${content}`
    })
  return `sap.ui.require.preload({${entries.join(',\n')}}, '${namespace}')`
}
