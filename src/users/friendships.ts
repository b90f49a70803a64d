/**
 * SQL condition: two users are friends, given expressions for their ids. Friendship is mutual: one
 * row per pair, the lower id first.
 */
export const areFriends = (one: string, other: string): string =>
  `EXISTS (SELECT 1 FROM friendships f
     WHERE f.user_id = least(${one}, ${other}) AND f.friend_id = greatest(${one}, ${other}))`;
