// How many programs a hall of fame has room for. Knows nothing else.
export const HALL_SIZE = 20;
