// Checks of sources of files run on the reading thread: a few megabytes that are hard to parse would hold up every caller.
import { MessageChannel } from 'node:worker_threads'
import type { Connection, StreamCheck } from '../../../../adapters/adapter.ts'
import { ADAPTER_TYPES, adapterOf } from '../../../../adapters/index.ts'
import { answerQuestions, type Checked, errorOf, type SourceTask } from './messages.ts'
import { readingPool } from './source-reader.ts'

/** From now on adapters that read files check them on the reading thread, whoever asks. */
export function checkFilesOnThread() {
  for (const type of ADAPTER_TYPES) {
    const adapter = adapterOf(type)!
    if (adapter.readsFiles)
      adapter.check = (connection, signal) => checkOnThread(type, connection, signal)
  }
}

/** @throws Fatal | Retriable | the signal's reason once it is aborted, also while the thread is busy */
async function checkOnThread(
  type: string,
  { credentials, ...connection }: Connection,
  signal: AbortSignal,
): Promise<StreamCheck[]> {
  signal.throwIfAborted()
  const { port1, port2: port } = new MessageChannel()
  answerQuestions(port1, (refused?: string) => credentials!.authorization(refused))
  const task: SourceTask = { type, connection, hasCredentials: Boolean(credentials), port }
  const checked = readingPool().run(task, { name: 'checkSource', transferList: [port] })
  const aborted = new Promise<never>((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  )
  try {
    const answer = (await Promise.race([checked, aborted])) as Checked
    if ('failure' in answer) throw errorOf(answer.failure)
    return answer.checks
  } finally {
    port1.close()
  }
}
