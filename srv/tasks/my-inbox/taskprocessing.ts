import cds from '@sap/cds'
import { runDetached } from '../../cap/context.ts'
import { remember } from '../person.ts'
import { toTaskRefusal } from '../refusal.ts'
import { preferredLanguage } from '../../texts.ts'
import { readTaskParts } from './task-parts.ts'
import { addedComment, type Called, claim, decision, decisionOptions } from './functions.ts'
import { readTasks } from './tasks.ts'

const { SELECT } = cds.ql

const TASK_PARTS = [
  ...['Description', 'UIExecutionLink', 'CustomAttribute', 'Comment'],
  ...['TaskDefinition', 'CustomAttributeDefinition', 'SystemInfo'],
].map((name) => `${name}Collection`)

type Work<T> = (req: Called) => T | Promise<T>

/** Refusals in the words of whoever asks. */
const refusing =
  <T>(work: Work<T>) =>
  async (req: Called) => {
    try {
      return await work(req)
    } catch (error) {
      throw toTaskRefusal(error, preferredLanguage(req.locale))
    }
  }

/** Detached, as the work itself: of several in one change set the next could not have SQLite's one connection. */
const answering = (work: Work<string>) =>
  refusing(async (req) => {
    const InstanceID = await work(req)
    const { SELECT: query } = SELECT.one.from('TASKPROCESSING.TaskCollection').where({ InstanceID })
    const changed = Object.assign(Object.create(req) as cds.Request, { query: { SELECT: query } })
    return runDetached('tasks', () => readTasks(changed))
  })

export default class TASKPROCESSING extends cds.ApplicationService {
  override async init() {
    this.before('*', ({ user }) => runDetached('tasks', () => remember(user)))
    this.on('READ', 'TaskCollection', refusing(readTasks))
    for (const name of TASK_PARTS) {
      this.on(
        'READ',
        name,
        refusing((req) => readTaskParts(name, req)),
      )
    }
    this.on('DecisionOptions', refusing(decisionOptions))
    this.on('Decision', answering(decision))
    this.on(
      'Claim',
      answering((req) => claim(req, true)),
    )
    this.on(
      'Release',
      answering((req) => claim(req, false)),
    )
    this.on('AddComment', refusing(addedComment))
    return super.init()
  }
}
