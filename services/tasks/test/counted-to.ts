/** How many lines the job `count` logs. */
export const countedTo = 10
