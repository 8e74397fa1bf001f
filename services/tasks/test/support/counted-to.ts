/** Number of lines that the job `count` logs. */
export const countedTo = 10
