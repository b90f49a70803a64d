const SECRET = /SECRET|PASSWORD|ACCESS_KEY|DATABASE_\w*URLS?$|REDIS_URL/;

/** Whether no page shows the value of a setting. Addresses of databases may contain passwords. */
export const isSecret = (name: string): boolean => SECRET.test(name);
