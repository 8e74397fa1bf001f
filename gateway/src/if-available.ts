import { Code, ConnectError } from '@connectrpc/connect'

const absent = [Code.Unavailable, Code.DeadlineExceeded]

/**
 * For optional parts of a response, such as pictures and names: undefined while their service or its storage is
 * unavailable or does not respond in time, so that the rest can still be sent.
 */
export async function ifAvailable<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ConnectError && absent.includes(error.code)) return undefined
    throw error
  }
}
