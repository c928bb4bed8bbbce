// UI5 asks for the bundle and the texts of each library, some thirty requests at each visit. They are put into the file
// that it starts from, so that they are there before it asks.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const STARTS = 'sap.ui.requireSync("sap/ui/core/Core");\n'
const BUNDLES = 'sap/**/library-preload*.js'
/** In the languages of the apps. */
const TEXTS = 'sap/**/messagebundle_{de,en}.properties'

/** Value helps in a dialog alone use it. */
const LATER = 'sap/ui/table/**'

const SOURCE_MAP = /^\/\/# sourceMappingURL=.*$/gm

export function intoOneFile(resources: string) {
  const read = (file: string) => readFileSync(path.join(resources, file), 'utf8')
  const find = (pattern: string) =>
    globSync(pattern, { cwd: resources, exclude: [LATER] })
      .map((file) => file.replaceAll('\\', '/'))
      .sort()
  const core = read('sap-ui-core.js')
  if (core.split(STARTS).length !== 2) throw new Error('UI5 starts otherwise than expected.')
  const texts = Object.fromEntries(find(TEXTS).map((file) => [file, read(file)]))
  const libraries = [
    ...find(BUNDLES).map((file) => read(file).replace(SOURCE_MAP, '')),
    `sap.ui.require.preload(${JSON.stringify(texts)}, 'restock-texts')`,
  ]
  const [before, after] = core.split(STARTS) as [string, string]
  writeFileSync(
    path.join(resources, 'sap-ui-core.js'),
    `${before}${libraries.join('\n')}\n${STARTS}${after}`,
  )
}
