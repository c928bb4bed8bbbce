import { execFileSync } from 'node:child_process'
import path from 'node:path'
import ts from 'typescript'

const root = path.resolve(import.meta.dirname, '..')

/** The files that a tsconfig checks, relative to the root. */
function filesOf(config: string): string[] {
  const file = path.join(root, config)
  const { config: json } = ts.readConfigFile(file, (name) => ts.sys.readFile(name)) as {
    config: unknown
  }
  const { fileNames } = ts.parseJsonConfigFileContent(json, ts.sys, path.dirname(file))
  return fileNames.map((name) => path.relative(root, name))
}

it('checks every source file by a tsconfig', () => {
  const checked = new Set(['tsconfig.json', 'app/tsconfig.json'].flatMap(filesOf))
  const tracked = execFileSync('git', ['ls-files', '*.ts', '*.js', '*.mjs', '*.cjs'], {
    cwd: root,
    encoding: 'utf8',
  })
  const sources = tracked.split('\n').filter(Boolean)
  expect(sources.length).toBeGreaterThan(500)
  expect(sources.filter((name) => !checked.has(name))).toEqual([])
})
