DO $$
DECLARE
  numbered record;
BEGIN
  FOR numbered IN
    SELECT format('%I', table_name) AS name, format('%I', column_name) AS key,
      pg_get_serial_sequence(format('%I', table_name), column_name) AS sequence
    FROM information_schema.columns WHERE table_schema = 'public' AND is_identity = 'YES'
  LOOP
    
    EXECUTE format(
      'SELECT setval(%L, greatest((SELECT max(%s) FROM %s WHERE %s < 4503599627370496), 1))
       FROM %s WHERE last_value >= 4503599627370496',
      numbered.sequence, numbered.key, numbered.name, numbered.key, numbered.sequence);
    EXECUTE format('ALTER SEQUENCE %s MAXVALUE 9007199254740991', numbered.sequence);
  END LOOP;
END $$;
