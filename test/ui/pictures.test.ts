// The jobs of the guides' pictures, played in English: what the guides show is what the apps do.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { JOBS } from '../../scripts/pictures/jobs.ts'
import { playJob } from '../../scripts/pictures/play.ts'
import { Stage } from '../../scripts/pictures/stage.ts'
import { openBrowser } from '../support/browser.ts'
import { hasUi5 } from './app.ts'

const withUi5 = hasUi5() ? describe : describe.skip

withUi5('the jobs of the guides', () => {
  let stage: Stage
  let browser: Browser
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'restock-jobs-'))
    stage = await Stage.set()
    browser = await openBrowser()
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await stage?.end()
    await rm(folder, { recursive: true, force: true })
  })

  it.each(JOBS.map((job) => [job.name, job] as const))('%s', async (name, job) => {
    await playJob({ browser, stage, job, locale: 'en', folder })
    const taken = (await readdir(folder)).filter((file) => file.startsWith(`${name}-`))
    expect(taken).toHaveLength(job.frames)
  })
})
