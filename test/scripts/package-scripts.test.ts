// The scripts of package.json run in any shell, that of Windows too.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

const { start, ...others } = scripts

it('start runs in the shell of Windows too, which does not know exec', () => {
  const [windows, posix] = start!.split(' || ')
  expect(windows).toBe(
    `node -e "process.exit(process.platform === 'win32' ? 0 : 1)" && node srv/base/start/start.ts`,
  )
  expect(posix).toBe('exec node srv/base/start/start.ts')
})

it.each(Object.entries(others))('%s has nothing that only a POSIX shell knows', (_, script) => {
  // Variables before a command or with $, other quotes, substitution, jobs, and programs of POSIX.
  expect(script).not.toMatch(
    /(^|&& )\w+=|\$|(^|\s)'|`|[^&]&([^&]|$)|;|\|\|?|(^|&& )(rm|cp|mv|exec|env) /,
  )
})

const files = globSync('{.ci,adapters,bench,cli,client,sandbox,scripts,srv,tables}/**/*.ts', {
  cwd: root,
})

it.each([
  ['a program through a shell', /\bshell: /],
  ['a file of node_modules/.bin', /node_modules\/\.bin|'\.bin'/],
  ['the path of an address', /import\.meta\.url\)\.(pathname|href\.slice)/],
])('the code does not use %s, which is another one on Windows', (_, wanted) => {
  const found = files.filter((file) => wanted.test(readFileSync(path.join(root, file), 'utf8')))
  expect(found).toEqual([])
})
