import { Code, ConnectError } from '@connectrpc/connect'

/**
 * For optional parts of a response, such as pictures and names: undefined while their service or its storage is
 * unavailable, so that the rest can still be sent.
 */
export async function ifAvailable<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ConnectError && error.code === Code.Unavailable) return undefined
    throw error
  }
}
