// npm run pictures [-- NAME…]: takes the pictures in docs/images from the running product: jobs by their names in
// jobs/, pages and dialogs by those in scenes.ts. Without names all of them, in some minutes.
// npm run pictures -- --form FORM --to FOLDER [NAME…]: takes every page and dialog in a window of forms.ts, to be looked
// at, and tells errors, barriers and texts that are cut.
import path from 'node:path'
import { parseArgs } from 'node:util'
import { openBrowser } from '../../test/support/browser.ts'
import { FORMS } from './forms.ts'
import { JOBS } from './jobs.ts'
import { playJob, playScene } from './play.ts'
import { FURTHER, SCENES } from './scenes.ts'
import { Stage } from './stage.ts'

const images = path.resolve(import.meta.dirname, '../../docs/images')
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { form: { type: 'string' }, to: { type: 'string' } },
})
const form = FORMS.find(({ name }) => name === values.form)
if (values.form && !(form && values.to)) {
  throw new Error(`--form asks for ${FORMS.map(({ name }) => name).join(', ')}, and for --to.`)
}
const isWanted = ({ name }: { name: string }) => !wanted.length || wanted.includes(name)

const jobs = form ? [] : JOBS.filter(isWanted)
const scenes = [...(form ? FURTHER : []), ...SCENES].filter(isWanted)
if (!jobs.length && !scenes.length) {
  const known = [...JOBS, ...SCENES, ...FURTHER].map(({ name }) => name)
  throw new Error(`There is no ${wanted.join(', ')}, but ${known.join(', ')}.`)
}

const stage = await Stage.set()
const browser = await openBrowser()

/** The others are taken all the same. */
async function take(name: string, play: () => Promise<string[]>) {
  try {
    const told = await play()
    process.stdout.write(`${name}\n`)
    for (const each of form ? told : []) process.stdout.write(`  ${each}\n`)
  } catch (error) {
    process.exitCode = 1
    process.stderr.write(`${name}: ${(error as Error).message}\n`)
  }
}

try {
  const folder = form ? path.join(values.to!, form.name) : images
  for (const scene of scenes) {
    await take(scene.name, () => playScene({ browser, stage, scene, folder, form }))
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
