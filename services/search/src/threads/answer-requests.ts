import { parentPort } from 'node:worker_threads'
import type { ThreadReply, ThreadRequest } from './thread.js'

/** The program of a thread: answers each request, or reports what `handle` throws. */
export function answerRequests<Request, Reply>(handle: (request: Request) => Reply): void {
  const answer = ({ number, request }: ThreadRequest<Request>): ThreadReply<Reply> => {
    try {
      return { number, reply: handle(request) }
    } catch (error) {
      return { number, problem: error instanceof Error ? error.message : String(error) }
    }
  }
  parentPort?.on('message', (message: ThreadRequest<Request>) => {
    parentPort?.postMessage(answer(message))
  })
}
