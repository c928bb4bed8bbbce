import cds from '@sap/cds'
import { runDetached } from '../../../base/cap/context.ts'
import { rememberUser } from '../person.ts'
import { toTaskRefusal } from '../refusal.ts'
import { preferredLanguage } from '../../../base/texts/texts.ts'
import {
  addInboxComment,
  decideInInbox,
  type FunctionCall,
  listDecisionOptions,
  readTaskParts,
  readTasks,
  setInboxClaim,
} from './tasks.ts'

const TASK_PARTS = [
  ...['Description', 'UIExecutionLink', 'CustomAttribute', 'Comment'],
  ...['TaskDefinition', 'CustomAttributeDefinition', 'SystemInfo'],
].map((name) => `${name}Collection`)

type Work<T> = (req: FunctionCall) => T | Promise<T>

/** Refusals in the user's language. */
const refusing =
  <T>(work: Work<T>) =>
  async (req: FunctionCall) => {
    try {
      return await work(req)
    } catch (error) {
      throw await toTaskRefusal(error, preferredLanguage(req.locale))
    }
  }

/** Detached, like the work itself: with several in one change set the next would never get SQLite's one connection. */
const withTaskRefusals = (work: Work<string>) =>
  refusing(async (req) => {
    const InstanceID = await work(req)
    const { SELECT: query } = SELECT.one.from('TASKPROCESSING.TaskCollection').where({ InstanceID })
    const changed = Object.assign(Object.create(req) as cds.Request, { query: { SELECT: query } })
    return runDetached('tasks', () => readTasks(changed))
  })

export default class TASKPROCESSING extends cds.ApplicationService {
  override async init() {
    this.before('*', ({ user }) => runDetached('tasks', () => rememberUser(user)))
    this.on('READ', 'TaskCollection', refusing(readTasks))
    for (const name of TASK_PARTS) {
      this.on(
        'READ',
        name,
        refusing((req) => readTaskParts(name, req)),
      )
    }
    this.on('DecisionOptions', refusing(listDecisionOptions))
    this.on('Decision', withTaskRefusals(decideInInbox))
    this.on(
      'Claim',
      withTaskRefusals((req) => setInboxClaim(req, true)),
    )
    this.on(
      'Release',
      withTaskRefusals((req) => setInboxClaim(req, false)),
    )
    this.on('AddComment', refusing(addInboxComment))
    return super.init()
  }
}
