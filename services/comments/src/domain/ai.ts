/** The author of replies by AI: a reserved username. */
export const aiAuthor = 'ai'
