// npm run pictures [-- NAME…]: takes the pictures in docs/images from the running product: jobs by their names in
// jobs/, pages and dialogs by those in scenes.ts. Without names all of them, in some minutes.
import path from 'node:path'
import { openBrowser } from '../../test/support/browser.ts'
import { JOBS } from './jobs.ts'
import { playJob, playScene } from './play.ts'
import { SCENES } from './scenes.ts'
import { Stage } from './stage.ts'

const images = path.resolve(import.meta.dirname, '../../docs/images')
const wanted = process.argv.slice(2)
const isWanted = ({ name }: { name: string }) => !wanted.length || wanted.includes(name)

const [jobs, scenes] = [JOBS.filter(isWanted), SCENES.filter(isWanted)]
if (!jobs.length && !scenes.length) {
  const known = [...JOBS, ...SCENES].map(({ name }) => name)
  throw new Error(`There is no ${wanted.join(', ')}, but ${known.join(', ')}.`)
}

const stage = await Stage.set()
const browser = await openBrowser()

/** The others are taken all the same. */
async function take(name: string, play: () => Promise<unknown>) {
  try {
    await play()
    process.stdout.write(`${name}\n`)
  } catch (error) {
    process.exitCode = 1
    process.stderr.write(`${name}: ${(error as Error).message}\n`)
  }
}

try {
  for (const scene of scenes) {
    await take(scene.name, () => playScene({ browser, stage, scene, folder: images }))
  }
  for (const job of jobs) {
    for (const locale of ['en', 'de'] as const) {
      const folder = path.join(images, 'jobs', locale)
      await take(`${job.name} ${locale}`, () => playJob({ browser, stage, job, locale, folder }))
    }
  }
} finally {
  await browser.close()
  await stage.end()
}
