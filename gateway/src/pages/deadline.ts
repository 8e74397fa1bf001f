/** When work on a page ends that is not necessary for it. */
export type Deadline = { leftMs(): number }

export function deadlineIn(ms: number): Deadline {
  const end = performance.now() + ms
  return { leftMs: () => end - performance.now() }
}
