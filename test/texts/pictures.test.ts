// The pictures of the guides: each is there, is used and says what it shows, and together they stay small.
import { globSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
const MOST_BYTES = 6_000_000

const shown = globSync(['README.md', 'docs/**/*.md'], { cwd: root }).flatMap((file) => {
  const text = readFileSync(path.join(root, file), 'utf8')
  return [...text.matchAll(/!\[([^\]]*)\]\(([^)\s]+)\)/g)].map(([, words, address]) => ({
    words: words!,
    picture: path.join(path.dirname(file), address!),
  }))
})
const stored = globSync('docs/images/**/*.*', { cwd: root })

it('are there', () => {
  expect(shown.length).toBeGreaterThan(50)
  expect(shown.map(({ picture }) => picture).filter((each) => !stored.includes(each))).toEqual([])
})

it('are all shown, with words for who does not see them', () => {
  const pictures = new Set(shown.map(({ picture }) => picture))
  expect(stored.filter((each) => !pictures.has(each))).toEqual([])
  expect(shown.filter(({ words }) => !words)).toEqual([])
})

it('are small enough to be cloned by everybody', () => {
  const bytes = stored.map((each) => statSync(path.join(root, each)).size)
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(MOST_BYTES)
})
